import type { FileOfItem } from '../../../foundation/sections/sections.ts'
import type { Comparison } from './comparison.ts'

/**
 * Sends files from the source to the target before the package that needs them, except those that the target has.
 * `onFile` is called before each file. @throws AppError
 */
export async function sendFiles(
  { source, target }: Comparison,
  files: readonly FileOfItem[],
  onFile: (file: FileOfItem['file'], place: number) => void = () => undefined,
): Promise<void> {
  const sent = new Set<string>()
  for (const [place, wanted] of files.entries()) {
    const { file } = wanted
    if (sent.has(file.hash)) continue
    sent.add(file.hash)
    onFile(file, place)
    await target.putFile(file, (offset) => source.readFile(wanted, offset))
  }
}
