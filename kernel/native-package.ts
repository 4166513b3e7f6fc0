import type { StartupProblem } from './startup-error.ts'

/** What the loaders of native packages say, and what it means to an operator. */
const causes: readonly { readonly pattern: RegExp; readonly what: string; readonly remedy: Remedy }[] = [
  {
    pattern: /NODE_MODULE_VERSION/,
    what: `was built for another version of Node.js than this one, ${process.versions.node}`,
    remedy: rebuild,
  },
  {
    pattern: /version `?GLIBC_[\d.]+'? not found/,
    what: 'needs a newer C library (glibc) than this system has',
    remedy: (name) => `use a newer system, or build it here: npm rebuild ${name} --build-from-source`,
  },
  {
    pattern: /Could not locate the bindings file/,
    what: 'has no binary here: its install script has not run, or has failed',
    remedy: rebuild,
  },
  {
    pattern: /Cannot find native binding|Could not load the "sharp" module/,
    what: `has no binary here for ${process.platform} on ${process.arch}`,
    remedy: () => 'install the packages anew on this system, with their optional dependencies: npm ci',
  },
]

type Remedy = (name: string) => string

function rebuild(name: string): string {
  return `run npm rebuild ${name}, or npm ci, with the Node.js that starts the service`
}

/**
 * The package whose native code cannot be loaded, and what to do about it; undefined if an error says something else. A
 * binary belongs to one system and one version of Node.js, so this happens when either is changed under installed packages.
 */
export function nativePackageProblem(error: unknown): StartupProblem | undefined {
  if (!(error instanceof Error)) return undefined
  const { message, stack = '' } = error
  const cause = causes.find(({ pattern }) => pattern.test(message))
  const isRefused = (error as NodeJS.ErrnoException).code === 'ERR_DLOPEN_FAILED'
  if (cause === undefined && !isRefused) return undefined
  const name = packageIn(message) ?? packageIn(stack) ?? 'a package'
  if (cause !== undefined) return { subject: name, message: cause.what, remedy: cause.remedy(name) }
  return { subject: name, message: `cannot be loaded: ${firstLine(message)}`, remedy: rebuild(name) }
}

/** The innermost package that a path leads into. */
const packageIn = (text: string) => /.*\/node_modules\/((?:@[^/\s]+\/)?[^/\s@.][^/\s]*)\//.exec(text)?.[1]

const firstLine = (text: string) => text.split('\n', 1)[0] ?? ''
