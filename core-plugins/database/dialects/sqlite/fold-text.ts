/** Small letters, accents kept; final sigma is like any other. */
export function foldText(text: unknown): string | null {
  return typeof text === 'string' ? text.toLowerCase().replaceAll('ς', 'σ') : null
}
