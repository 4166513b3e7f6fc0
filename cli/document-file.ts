import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Kernel } from '../kernel/index.ts'
import type { ServiceOptions } from '../service.ts'
import { inKernel, startInMemory } from './partial-service.ts'

/** Writes a document that needs no database to a file, or returns its text if the path is `-`. */
export async function writeDocument(
  project: ServiceOptions,
  file: string,
  textOf: (kernel: Kernel) => string | Promise<string>,
): Promise<string> {
  const text = await inKernel(startInMemory(project), async (kernel) => textOf(kernel))
  if (file === '-') return text
  const path = resolve(project.workingDirectory, file)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, `${text.trimEnd()}\n`)
  return `Wrote ${file}`
}
