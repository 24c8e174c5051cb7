/** Escapes text for HTML. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

/** A small page in the simulator's plain look; no outside resources. */
export function page(title: string, body: string, script = '', bodyClass = ''): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>
:root { color-scheme: light dark; font: 16px/1.45 system-ui, "Segoe UI", sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: Canvas; color: CanvasText; }
main { width: min(22rem, calc(100vw - 2rem)); padding: 1.75rem; border: 1px solid #8883; border-radius: 1rem; box-shadow: 0 4px 24px #0001; box-sizing: border-box; }
h1 { font-size: 1.25rem; margin: 0 0 1rem; }
button, .button { font: inherit; display: block; width: 100%; margin: .5rem 0; padding: .6rem 1rem; border: 0; border-radius: .6rem; background: #3b62d8; color: #fff; cursor: pointer; text-align: center; text-decoration: none; box-sizing: border-box; }
.button.plain, button.plain { background: #8882; color: inherit; }
label { display: block; font-size: .85rem; margin: .6rem 0; }
input { font: inherit; width: 100%; padding: .5rem .6rem; border: 1px solid #8886; border-radius: .5rem; box-sizing: border-box; }
p { margin: .5rem 0; } .muted { opacity: .65; font-size: .85rem; }
</style></head><body class="${bodyClass}">${body}${script ? `<script>${script}</script>` : ''}</body></html>`;
}
