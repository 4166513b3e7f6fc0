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
 * Loads the native server for whatever imports uWebSockets.js afterwards: the package that the project asks for itself, else
 * the one that this version was tested with.
 * @returns what it is, for people: `uwebsockets 3.0.6`
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
  // hyper-express looks for it from where it is itself, and would find ours.
  requireHere.cache[requireHere.resolve(packageName)] = requireHere.cache[script]
  const { name, version } = readManifest(dirname(script))
  return `${name} ${version}`
}

/** Undefined unless the project's package.json names another package than ours for it. */
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

/** Empty where there is none: a service can be started anywhere. */
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
  // The script tells of the binary that it has not found without a code.
  if (/Cannot find module/.test(message)) return missingBinary()
  const problem = nativePackageProblem(error)
  if (problem === undefined) return { subject, message: message.split('\n', 1)[0] ?? message }
  return { ...problem, subject, remedy: `use a system that it has a binary for: ${whereItLoads}` }
}

const whereItLoads = 'docs/deployment.md, "Which Node.js"'

function missingBinary(): StartupProblem {
  const here = `Node.js ${process.versions.node} on ${process.platform} ${process.arch}`
  // An install keeps the binary for the Node.js that it runs on.
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
