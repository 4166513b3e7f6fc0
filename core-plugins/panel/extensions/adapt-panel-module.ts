import { realpathSync, statSync } from 'node:fs'
import { dirname, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PanelModule } from './panel-modules.ts'
import type { ErrorReport } from './report-errors.ts'

/** The plugin that the module belongs to. */
interface Owner {
  readonly file?: string | undefined
  readonly report: ErrorReport
}

const example = '`{ file: "./panel.tsx" }`, the path from the plugin’s own file'

/** Resolves the script of a module, so that a wrong file name is reported at startup. @throws Error if it does not exist */
export function adaptPanelModule({ file: own, report }: Owner, module: PanelModule): PanelModule {
  const { file } = module
  if (file instanceof URL && file.protocol === 'file:') return found(fileURLToPath(file), report)
  if (typeof file !== 'string' || !file.startsWith('./')) throw new Error(`a panel module must be ${example}`)
  if (own === undefined) {
    throw new Error(
      `the panel module ${file} of a plugin without a file of its own must be named by a file URL`,
    )
  }
  const folder = dirname(own)
  const script = found(resolve(folder, file), report)
  assertWithin(folder, String(script.file))
  return script
}

/** Files in packages are compiled, but named as in the sources. */
function found(path: string, report: ErrorReport): PanelModule {
  if (!/\.[cm]?[jt]sx?$/.test(path)) throw new Error(`the panel module ${path} must be a script`)
  const compiled = path.replace(/\.[cm]?[jt]sx?$/, '.js')
  const file = [path, compiled].find((each) => statSync(each, { throwIfNoEntry: false })?.isFile())
  if (file === undefined) throw new Error(`the panel module ${path} does not exist`)
  return { file, report: (where, error) => report(where, error) }
}

/** Bundled files become public: a mistaken path or a symbolic link must not expose files outside of the folder. */
function assertWithin(folder: string, file: string) {
  if (realpathSync(file).startsWith(realpathSync(folder) + sep)) return
  throw new Error(`the panel module ${file} is outside of ${folder}, the folder of its plugin`)
}
