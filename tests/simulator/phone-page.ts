/** The phone's page: one file, no outside resources. Text is put in as text, never as HTML. */
export const PHONE_PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>The other phone</title>
<style>
:root { color-scheme: light; --ink: #1d2333; --muted: #7b8398; --line: #e4e7ee; --paper: #fff; --bg: #eceff5; --mine: #3b62d8; --theirs: #f0f2f7; font: 15px/1.4 system-ui, "Segoe UI", Roboto, sans-serif; }
@media (prefers-color-scheme: dark) { :root { color-scheme: dark; --ink: #e8ebf4; --muted: #8c94a8; --line: #2b3040; --paper: #171a23; --bg: #0e1016; --mine: #4a70e6; --theirs: #252a38; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--bg); color: var(--ink); }
.phone { width: min(400px, 100vw); height: min(800px, 100vh); display: grid; grid-template-rows: auto auto 1fr auto; background: var(--paper); border-radius: 32px; overflow: hidden; box-shadow: 0 0 0 10px #20242f, 0 24px 60px #0005; }
@media (max-width: 430px) { .phone { border-radius: 0; box-shadow: none; height: 100vh; } }
header { padding: 14px 18px 8px; display: flex; gap: 10px; align-items: center; border-bottom: 1px solid var(--line); }
header h1 { font-size: 16px; margin: 0; flex: 1; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
header small { display: block; color: var(--muted); font-weight: 400; font-size: 12px; }
select { font: inherit; font-size: 12px; max-width: 130px; color: var(--muted); background: transparent; border: 1px solid var(--line); border-radius: 8px; padding: 4px; }
nav { display: flex; gap: 6px; padding: 8px 12px; overflow-x: auto; border-bottom: 1px solid var(--line); scrollbar-width: none; }
nav button { font: inherit; font-size: 13px; flex: none; max-width: 150px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; border: 0; border-radius: 999px; padding: 5px 12px; background: var(--theirs); color: var(--ink); cursor: pointer; }
nav button[aria-current="true"] { background: var(--mine); color: #fff; }
nav b { margin-left: 6px; font-size: 11px; background: #e0483e; color: #fff; border-radius: 9px; padding: 0 6px; }
#log { overflow-y: auto; padding: 14px; display: flex; flex-direction: column; gap: 6px; }
.m { max-width: 82%; padding: 8px 12px; border-radius: 16px; background: var(--theirs); align-self: flex-start; overflow-wrap: anywhere; white-space: pre-wrap; }
.m.mine { align-self: flex-end; background: var(--mine); color: #fff; }
.m.system { align-self: center; background: none; color: var(--muted); font-size: 12px; }
.m .who { font-size: 12px; font-weight: 600; color: var(--mine); display: block; }
.m .meta { display: block; font-size: 11px; opacity: .65; text-align: right; margin-top: 2px; }
.m .quote { display: block; border-left: 3px solid currentColor; padding-left: 8px; margin-bottom: 4px; opacity: .75; font-size: 13px; max-height: 4.2em; overflow: hidden; }
.m .poll { display: flex; justify-content: space-between; gap: 12px; font-size: 13px; padding: 3px 8px; margin-top: 4px; border-radius: 8px; background: #8882; }
.m .reactions { display: inline-block; margin-top: 4px; font-size: 13px; background: #8883; border-radius: 10px; padding: 0 7px; }
.m.deleted { font-style: italic; opacity: .6; }
.m.new { animation: pop .5s ease-out; } @keyframes pop { from { transform: scale(.92); opacity: 0; } }
form { display: flex; gap: 8px; padding: 10px 12px 16px; border-top: 1px solid var(--line); }
form input { flex: 1; min-width: 0; font: inherit; padding: 9px 14px; border-radius: 999px; border: 1px solid var(--line); background: var(--theirs); color: var(--ink); }
form button { font: inherit; border: 0; border-radius: 999px; padding: 0 16px; background: var(--mine); color: #fff; cursor: pointer; }
</style></head><body>
<div class="phone"><header><h1><span id="title"></span><small id="owner"></small></h1><select id="as" aria-label="Whose phone"></select></header>
<nav id="chats" aria-label="Chats"></nav><div id="log" role="log" aria-live="polite"></div>
<form id="form"><input id="text" placeholder="Reply…" aria-label="Reply" autocomplete="off"><button>Send</button></form></div>
<script>
const $ = (id) => document.getElementById(id);
const params = new URLSearchParams(location.search);
let as = params.get('as') || '', chat = params.get('chat') || '', seen = new Set(), openId = '';
const make = (tag, cls, text) => { const e = document.createElement(tag); if (cls) e.className = cls; if (text !== undefined) e.textContent = text; return e; };
const time = (ms) => new Date(ms).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
async function draw() {
  const state = await (await fetch('/phone/state?as=' + encodeURIComponent(as) + '&chat=' + encodeURIComponent(chat))).json();
  $('owner').textContent = 'the phone of ' + state.owner.name;
  document.title = state.owner.name + ' — phone';
  $('as').replaceChildren(...state.people.map((p) => { const o = make('option', '', p.name); o.value = p.guid; o.selected = p.guid === state.owner.guid; return o; }));
  $('chats').replaceChildren(...state.chats.map((c) => { const b = make('button', '', c.title); b.title = c.last; b.setAttribute('aria-current', String(state.open && c.id === state.open.id)); if (c.unread && !(state.open && c.id === state.open.id)) b.append(make('b', '', String(c.unread))); b.onclick = () => { chat = c.id; draw(); }; return b; }));
  const open = state.open; if (!open) return;
  const isOther = open.id !== openId; if (isOther) seen = new Set(open.messages.map((m) => m.id)); openId = open.id;
  $('title').textContent = open.title;
  const log = $('log'), isAtEnd = isOther || log.scrollHeight - log.scrollTop - log.clientHeight < 60;
  log.replaceChildren(...open.messages.map((m) => {
    const e = make('div', 'm' + (m.isMine ? ' mine' : '') + (m.isSystem ? ' system' : '') + (m.isDeleted ? ' deleted' : '') + (seen.has(m.id) ? '' : ' new')); e.dataset.id = m.id; seen.add(m.id);
    if (!m.isMine && !m.isSystem) e.append(make('span', 'who', m.from));
    for (const f of m.forwarded) e.append(make('span', 'quote', f));
    e.append(make('span', 'text', m.isDeleted ? 'Message deleted' : m.text));
    for (const p of m.poll) { const row = make('span', 'poll'); row.append(make('span', '', p.text), make('span', '', String(p.votes))); e.append(row); }
    if (m.reactions.length) e.append(make('span', 'reactions', m.reactions.join(' ')));
    if (!m.isSystem) e.append(make('span', 'meta', (m.isEdited && !m.isDeleted ? 'edited · ' : '') + time(m.at) + (m.isMine ? (m.isRead ? ' ✓✓' : ' ✓') : '')));
    return e;
  }));
  if (isAtEnd) log.scrollTop = log.scrollHeight;
}
$('as').onchange = (event) => { as = event.target.value; chat = ''; draw(); };
$('form').onsubmit = async (event) => { event.preventDefault(); const text = $('text').value; if (!text.trim()) return; $('text').value = ''; await fetch('/phone/say?as=' + encodeURIComponent(as), { method: 'POST', body: JSON.stringify({ chatId: openId, text }) }); draw(); };
new EventSource('/phone/events').onmessage = draw;
draw();
</script></body></html>
`;
