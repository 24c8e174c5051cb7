import contentDisposition from 'content-disposition';

/** The file name of a Content-Disposition header (RFC 6266, RFC 5987), raw; undefined when there is none or the header is malformed. */
export function suggestedFileName(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  try {
    const name = contentDisposition.parse(header).parameters['filename'];
    return typeof name === 'string' && name !== '' ? name : undefined;
  } catch {
    return undefined;
  }
}
