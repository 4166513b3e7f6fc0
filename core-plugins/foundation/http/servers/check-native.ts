import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { nativeFiles, nativeRelease } from './native-files.ts'

/** The name of the binary that uWebSockets.js loads here. */
export const nativeBinary = `uws_${process.platform}_${process.arch}_${process.versions.modules}.node`

/**
 * Compares the files of the native server that are about to be loaded with those that this version was tested with.
 * @param script the entry file of uWebSockets.js, which loads the binary
 * @throws Error naming the file that differs
 */
export function assertKnownNative(script: string): void {
  for (const [name, path] of [
    ['uws.js', script],
    [nativeBinary, join(dirname(script), nativeBinary)],
  ] as const) {
    // Loading reports a binary that is missing for this machine.
    if (name === nativeBinary && !existsSync(path)) continue
    const found = createHash('sha256').update(readFileSync(path)).digest('hex')
    if (found === nativeFiles[name]) continue
    throw new Error(
      `${path} is not the file of ${nativeRelease} that this version was tested with: install the packages anew, and if it ` +
        'stays so, report it (SECURITY.md)',
    )
  }
}
