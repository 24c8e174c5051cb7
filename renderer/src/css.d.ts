/** Style sheets are imported for their effect; Vite emits them as files. */
declare module '*.css';
