import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { nativePackageProblem, type StartupProblem } from '../../../../kernel/index.ts'
import { assertKnownNative, nativeBinary } from './check-native.ts'
import { nativeFiles, nativeRelease } from './native-files.ts'
import { maxHeaderBytes } from './server-port.ts'

const packageName = 'uWebSockets.js'
const requireHere = createRequire(import.meta.url)

/**
 * Loads the native server for every later import of uWebSockets.js: the package that the project depends on,
 * otherwise the one that this version was tested with.
 * @returns name and version for people: `uwebsockets 3.0.6`
 * @throws Error that `nativeServerProblem` explains
 */
export function loadNativeServer(projectFolder: string): string {
  const chosen = scriptOfProject(projectFolder)
  const script = chosen ?? requireHere.resolve(packageName)
  const isLoaded = script in requireHere.cache
  if (chosen === undefined && !isLoaded) assertKnownNative(script)
  // Read when the binary is loaded.
  process.env.UWS_HTTP_MAX_HEADERS_SIZE ??= String(maxHeaderBytes)
  requireHere(script)
  // hyper-express resolves the package from its own folder, and would find ours.
  requireHere.cache[requireHere.resolve(packageName)] = requireHere.cache[script]
  const { name, version } = readManifest(dirname(script))
  return `${name} ${version}`
}

/** Undefined unless the project's package.json replaces our package with another. */
function scriptOfProject(projectFolder: string): string | undefined {
  const { dependencies, optionalDependencies, overrides } = readManifest(projectFolder)
  const asked = { ...overrides, ...optionalDependencies, ...dependencies }[packageName]
  if (asked === undefined || asked === `npm:${nativeRelease}`) return undefined
  return createRequire(join(projectFolder, 'package.json')).resolve(packageName)
}

interface Manifest {
  readonly name?: string
  readonly version?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly overrides?: Readonly<Record<string, unknown>>
}

/** Empty if there is none: a service can be started in any folder. */
function readManifest(folder: string): Manifest {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  } catch {
    return {}
  }
}

/** Why the native server cannot be loaded, and what to do about it. */
export function nativeServerProblem(error: unknown): StartupProblem {
  const { message, code } = error as NodeJS.ErrnoException
  const subject = packageName
  if (code === 'MODULE_NOT_FOUND')
    return {
      subject,
      message: 'is not installed',
      remedy: 'install the packages with the optional ones: npm ci',
    }
  // If the script does not find the binary, its error has no code.
  if (/Cannot find module/.test(message)) return missingBinary()
  const problem = nativePackageProblem(error)
  if (problem === undefined) return { subject, message: message.split('\n', 1)[0] ?? message }
  return { ...problem, subject, remedy: `use a system that it has a binary for: ${whereItLoads}` }
}

const whereItLoads = 'docs/deployment.md, "Which Node.js"'

function missingBinary(): StartupProblem {
  const here = `Node.js ${process.versions.node} on ${process.platform} ${process.arch}`
  // npm installs the binary for the Node.js version that it runs on.
  return nativeBinary in nativeFiles
    ? {
        subject: packageName,
        message: `was installed without its binary for ${here}`,
        remedy: 'install the packages anew with this Node.js: npm ci',
      }
    : {
        subject: packageName,
        message: `has no binary for ${here}`,
        remedy: `use a Node.js that it has one for: ${whereItLoads}`,
      }
}
