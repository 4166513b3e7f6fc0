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

/** Finds the script of a module, so that a mistake in its name is told at the start. @throws Error if it is not there */
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

/** What is in packages has been compiled, but is named as in their sources. */
function found(path: string, report: ErrorReport): PanelModule {
  if (!/\.[cm]?[jt]sx?$/.test(path)) throw new Error(`the panel module ${path} must be a script`)
  const compiled = path.replace(/\.[cm]?[jt]sx?$/, '.js')
  const file = [path, compiled].find((each) => statSync(each, { throwIfNoEntry: false })?.isFile())
  if (file === undefined) throw new Error(`the panel module ${path} does not exist`)
  return { file, report: (where, error) => report(where, error) }
}

/** Whatever a browser gets is public: a slip in a path, or a link in the folder, must not make more of it so. */
function assertWithin(folder: string, file: string) {
  if (realpathSync(file).startsWith(realpathSync(folder) + sep)) return
  throw new Error(`the panel module ${file} is outside of ${folder}, the folder of its plugin`)
}
