import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { areServicesRequired } from '../support/databases.ts'

/** The packages of Debian that have the encoders. */
const packages = {
  avifenc: 'libavif-bin',
  'heif-enc': 'libheif-examples',
  cjpeg: 'libjpeg-turbo-progs',
} as const
export type Encoder = keyof typeof packages

/** For a test: why it cannot run here, or false. With REQUIRE_SERVICES it fails instead. */
export function without(encoder: Encoder | undefined): string | false {
  if (encoder === undefined || existsSync(`/usr/bin/${encoder}`) || areServicesRequired()) return false
  return `there is no ${encoder} here: install ${packages[encoder]}`
}

/** What an encoder makes of a file. `args` are those before the names of both. */
export function encode(
  encoder: Encoder,
  args: readonly string[],
  source: { readonly name: string; readonly bytes: Uint8Array },
  extension: string,
): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'mortise-encoder-'))
  try {
    const [input, output] = [join(folder, source.name), join(folder, `encoded.${extension}`)]
    writeFileSync(input, source.bytes)
    const where =
      encoder === 'avifenc'
        ? [input, output]
        : encoder === 'heif-enc'
          ? [input, '-o', output]
          : ['-outfile', output, input]
    execFileSync(encoder, [...args, ...where], { stdio: 'pipe' })
    return readFileSync(output)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new Error(`there is no ${encoder} here: install ${packages[encoder]}`, { cause: error })
  } finally {
    rmSync(folder, { recursive: true })
  }
}
