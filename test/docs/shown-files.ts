import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The files that a page of `docs/` shows, by the path that the fence of each names. */
export function shownFiles(page: string): Record<string, string> {
  const text = readFileSync(join(import.meta.dirname, '../../docs', page), 'utf8')
  const fences = text.matchAll(/^```tsx? (\S+\/\S+)\n(.*?)^```$/gms)
  return Object.fromEntries([...fences].map(([, file = '', code = '']) => [file, code]))
}
