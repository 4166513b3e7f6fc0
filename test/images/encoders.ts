import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { skipWithout } from '../support/scope.ts'

/** The packages of Debian that have the encoders. */
const packages = { avifenc: 'libavif-bin' } as const
export type Encoder = keyof typeof packages

interface NamedBytes {
  readonly name: string
  readonly bytes: Uint8Array
}

/** For `skip`: why a test cannot run here, or false. */
export const without = (encoder: Encoder | undefined): string | false =>
  encoder !== undefined && skipWithout(`${encoder} (${packages[encoder]})`, existsSync(`/usr/bin/${encoder}`))

/** What an encoder makes of one picture, or of several that move. `args` are those before the names of the files. */
export function encode(encoder: Encoder, args: readonly string[], pictures: readonly NamedBytes[]): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'mortise-encoder-'))
  try {
    for (const { name, bytes } of pictures) writeFileSync(join(folder, name), bytes)
    const output = join(folder, 'encoded')
    execFileSync(encoder, [...args, ...pictures.map(({ name }) => join(folder, name)), output], {
      stdio: 'pipe',
    })
    return readFileSync(output)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new Error(`there is no ${encoder} here: install ${packages[encoder]}`, { cause: error })
  } finally {
    rmSync(folder, { recursive: true })
  }
}
