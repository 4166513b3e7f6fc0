import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { ModuleBundle, ModuleSource } from './bundle-module.ts'

/** Bundles of plugin modules, stored across restarts. */
export interface ModuleStore {
  /** The stored bundle, if none of its sources has changed. */
  read(source: ModuleSource, shared: Readonly<Record<string, string>>): ModuleBundle | undefined
  /** Stores a bundle, if possible. */
  write(source: ModuleSource, shared: Readonly<Record<string, string>>, bundle: ModuleBundle): void
}

const oldestMs = 30 * 24 * 60 * 60 * 1000

interface StoredModule {
  readonly script: string
  readonly styles?: string
  /** Texts by name. */
  readonly files: Readonly<Record<string, string>>
  /** Hashes by path. */
  readonly inputs: Readonly<Record<string, string>>
}

/** Stores bundles in the project's node_modules; if that is missing or read-only, nothing is stored. */
export function createModuleStore(projectFolder: string): ModuleStore {
  const packages = join(projectFolder, 'node_modules')
  const folder = join(packages, '.cache/mortise/panel-modules')
  const pathOf = (source: ModuleSource, shared: Readonly<Record<string, string>>) =>
    join(folder, `${source.plugin}-${hashOf(JSON.stringify([source, shared]))}.json`)
  return {
    read(source, shared) {
      const stored = readStored(pathOf(source, shared))
      if (stored === undefined) return undefined
      const { files, inputs, ...names } = stored
      const isCurrent = Object.entries(inputs).every(
        ([file, hash]) => existsSync(file) && hashOf(readFileSync(file)) === hash,
      )
      if (!isCurrent) return undefined
      const contents = Object.entries(files).map(([name, text]) => ({ name, contents: Buffer.from(text) }))
      return { ...names, files: contents, inputs: Object.keys(inputs) }
    },
    write(source, shared, { files, inputs, ...names }) {
      const stored: StoredModule = {
        ...names,
        files: Object.fromEntries(
          files.map(({ name, contents }) => [name, Buffer.from(contents).toString('utf8')]),
        ),
        inputs: Object.fromEntries(inputs.map((file) => [file, hashOf(readFileSync(file))])),
      }
      const path = pathOf(source, shared)
      try {
        if (!existsSync(packages)) return
        removeOld(folder)
        mkdirSync(folder, { recursive: true })
        writeFileSync(`${path}.${process.pid}`, JSON.stringify(stored))
        renameSync(`${path}.${process.pid}`, path)
      } catch {
        // The folder is read-only: the next start bundles it again, which takes milliseconds.
      }
    },
  }
}

/** An unreadable file counts as missing. */
function readStored(path: string): StoredModule | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as StoredModule
  } catch {
    return undefined
  }
}

/** Deletes old bundles, of removed plugins or earlier versions of the panel. */
function removeOld(folder: string) {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const path = join(folder, name)
    const { mtimeMs = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {}
    if (Date.now() - mtimeMs > oldestMs) rmSync(path, { force: true })
  }
}

const hashOf = (contents: string | Uint8Array) =>
  createHash('sha256').update(contents).digest('hex').slice(0, 16)
