export function bundleShim(options?: { snapshot?: object; outfile?: string; version?: string }): Promise<{ outfile: string; bytes: number }>;
