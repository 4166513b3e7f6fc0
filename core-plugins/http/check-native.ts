import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { nativeFiles, nativeRelease } from './native-files.ts'

/** The script that uWebSockets.js begins with, which loads the binary. @throws Error if it is not installed */
const installedScript = () => createRequire(import.meta.url).resolve('uWebSockets.js')

/**
 * Compares what is about to be loaded as the native server with what this version was tested with.
 * @throws Error that names the file which is another one
 */
export function assertKnownNative(script: string = installedScript()): void {
  const binary = `uws_${process.platform}_${process.arch}_${process.versions.modules}.node`
  for (const [name, path] of [
    ['uws.js', script],
    [binary, join(dirname(script), binary)],
  ] as const) {
    // Where there is none for this machine, loading it says so.
    if (name === binary && !existsSync(path)) continue
    const found = createHash('sha256').update(readFileSync(path)).digest('hex')
    if (found === nativeFiles[name]) continue
    throw new Error(
      `${path} is not the file of ${nativeRelease} that this version was tested with: install the packages anew, and if it ` +
        'stays so, report it (SECURITY.md)',
    )
  }
}
