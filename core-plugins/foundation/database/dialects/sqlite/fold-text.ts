/** Lower case, accents kept; final sigma becomes an ordinary one. */
export function foldText(text: unknown): string | null {
  return typeof text === 'string' ? text.toLowerCase().replaceAll('ς', 'σ') : null
}
