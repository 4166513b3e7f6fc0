import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { ContributionOf, Log } from '../../../kernel/index.ts'
import type { PanelModule } from '../extensions/extensions.ts'
import type { BuiltFile } from './build/built-app.ts'
import { bundleModule, type ModuleBundle, type ModuleSource } from './build/bundle-module.ts'
import { encode, encodedFile, plainFile } from './build/encode.ts'
import { createModuleStore } from './build/stored-module.ts'
import type { PanelApp } from './panel-app.ts'
import { assetsPath } from './panel-path.ts'

/** A plugin's module as the panel imports it. */
export interface ShownModule {
  readonly plugin: string
  /** Paths on this server; `url` is '' if the module could not be bundled. */
  readonly url: string
  readonly styles?: string
  readonly problem?: string
}

/** The panel modules of plugins. */
export interface PluginModules {
  /** Bundles modules that are not bundled yet. A module that cannot be bundled is listed with its problem. */
  list(): Promise<readonly ShownModule[]>
  /** A file of a module; undefined if no module has it. */
  file(name: string): Promise<BuiltFile | undefined>
  /** Calls the callback after changes of sources, if live; returns a function to unsubscribe. */
  onChange(callback: () => void): () => void
  /** Records an error that a plugin's module has thrown in a browser; false if the plugin has no module. */
  report(plugin: string, where: string, error: Error): boolean
}

export interface PluginModulesParts {
  readonly app: PanelApp
  /** Complete once the service has started. */
  readonly contributions: () => readonly ContributionOf<PanelModule>[]
  /** If true, bundles them again for every request and reports why one cannot be bundled. */
  readonly isLive: boolean
  /** The project folder, where bundles are stored across restarts. */
  readonly workingDirectory: string
  readonly log: Log
}

interface BuiltModule {
  readonly shown: ShownModule
  readonly files: ReadonlyMap<string, BuiltFile>
  readonly inputs: readonly string[]
}

/** How often live modules are polled for changes, which works on every file system. */
const watchEveryMs = 500

/** Bundles nothing before the panel is first opened. */
export function createPluginModules(parts: PluginModulesParts): PluginModules {
  const { contributions, isLive } = parts
  let built: Promise<readonly BuiltModule[]> | undefined

  function modules(): Promise<readonly BuiltModule[]> {
    if (built !== undefined && !isLive) return built
    const building = Promise.all(contributions().map((contribution) => buildModule(contribution, parts)))
    built = building
    // Modules cannot be bundled without the application; the next request may find it built.
    building.catch(() => {
      if (built === building) built = undefined
    })
    return building
  }

  return {
    list: async () => (await modules()).map(({ shown }) => shown),
    async file(name) {
      if (!name.startsWith('plugin-')) return undefined
      // The URL may come from another process or an earlier build.
      const all = await (built ?? modules())
      return all.map(({ files }) => files.get(name)).find((file) => file !== undefined)
    },
    onChange(callback) {
      if (!isLive) return () => {}
      let stamps: string | undefined
      const look = (all: readonly BuiltModule[]) => {
        const now = all.flatMap(({ inputs }) => inputs.map(stampOf)).join('\n')
        if (stamps !== undefined && stamps !== now) callback()
        stamps = now
      }
      const lookAgain = () => void built?.then(look, () => {})
      lookAgain()
      const timer = setInterval(lookAgain, watchEveryMs)
      timer.unref()
      return () => clearInterval(timer)
    },
    report(plugin, where, error) {
      const own = contributions().find((each) => each.plugin === plugin)
      own?.value.report?.(where, error)
      return own !== undefined
    },
  }
}

async function buildModule(
  { plugin, value }: ContributionOf<PanelModule>,
  { app, isLive, workingDirectory, log }: PluginModulesParts,
): Promise<BuiltModule> {
  const file = value.file instanceof URL ? fileURLToPath(value.file) : value.file
  const source: ModuleSource = { plugin, file }
  const { shared } = (await app.current()).entries
  const store = createModuleStore(workingDirectory)
  try {
    const kept = isLive ? undefined : store.read(source, shared)
    const bundle = kept ?? (await bundleModule(source, { shared, isLive }))
    if (kept === undefined && !isLive) store.write(source, shared, bundle)
    return await served(plugin, bundle, isLive)
  } catch (error) {
    log.error({ plugin, err: error }, `the panel module of the plugin ${plugin} cannot be bundled: ${file}`)
    value.report?.('bundling its panel module', error)
    const problem =
      isLive && error instanceof Error ? error.message : 'it cannot be bundled; the log says why'
    return { shown: { plugin, url: '', problem }, files: new Map(), inputs: [file] }
  }
}

async function served(plugin: string, bundle: ModuleBundle, isLive: boolean): Promise<BuiltModule> {
  const { script, styles, files, inputs } = bundle
  const entries = files.map(async ({ name, contents }): Promise<[string, BuiltFile]> => {
    if (isLive) return [name, plainFile(contents)]
    const encoded = await encode(contents)
    return [name, encodedFile(async (encoding) => encoded[encoding])]
  })
  const shown = {
    plugin,
    url: assetsPath + script,
    ...(styles === undefined ? {} : { styles: assetsPath + styles }),
  }
  return { shown, files: new Map(await Promise.all(entries)), inputs }
}

const stampOf = (path: string) => `${path} ${statSync(path, { throwIfNoEntry: false })?.mtimeMs}`
