import type { StartupProblem } from './startup-error.ts'

interface Cause {
  readonly pattern: RegExp
  readonly what: (match: RegExpExecArray) => string
  readonly remedy: (name: string) => string
}

const rebuild = (name: string) =>
  `run npm rebuild ${name}, or npm ci, with the Node.js that starts the service`
const installAnew = () => 'install the packages anew on this system, with their optional dependencies: npm ci'

/** What the loaders of native packages say, and what it means to an operator. What says more comes first. */
const causes: readonly Cause[] = [
  {
    pattern: /NODE_MODULE_VERSION/,
    what: () => `was built for another version of Node.js than this one, ${process.versions.node}`,
    remedy: rebuild,
  },
  {
    pattern: /version `?GLIBC_([\d.]+)'? not found/,
    what: ([, version]) => `needs a newer C library (glibc ${version}) than this system has`,
    remedy: (name) => `use a newer system, or build it here: npm rebuild ${name} --build-from-source`,
  },
  {
    pattern: /ld-linux|ld-musl|libc\.musl|Error relocating/,
    what: () => 'was made for another C library (glibc or musl) than this system has',
    remedy: installAnew,
  },
  {
    pattern:
      /invalid ELF header|wrong ELF class|file too short|incompatible architecture|mach-o|valid Win32 application/i,
    what: () => 'has a binary that is damaged, or made for another system than this one',
    remedy: installAnew,
  },
  {
    pattern: /(\S+): cannot open shared object file/,
    what: ([, library]) => `lacks a library, ${library}`,
    remedy: installAnew,
  },
  {
    pattern: /Could not locate the bindings file/,
    what: () => 'has no binary here: its install script has not run, or has failed',
    remedy: rebuild,
  },
  {
    pattern: /Cannot find native binding|Could not load the "sharp" module/,
    what: () => `has no binary here for ${process.platform} on ${process.arch}`,
    remedy: installAnew,
  },
]

/**
 * The package whose native code cannot be loaded, and what to do about it; undefined if an error says something else. A
 * binary belongs to one system and one version of Node.js, so this happens when either is changed under installed packages.
 */
export function nativePackageProblem(error: unknown): StartupProblem | undefined {
  if (!(error instanceof Error)) return undefined
  const messages = messagesOf(error)
  const nameIn = (text: string) => packageIn(text) ?? packageIn(error.stack ?? '') ?? 'a package'
  for (const { pattern, what, remedy } of causes) {
    for (const text of messages) {
      const match = pattern.exec(text)
      if (match === null) continue
      const subject = nameIn(text)
      return { subject, message: what(match), remedy: remedy(subject) }
    }
  }
  if ((error as NodeJS.ErrnoException).code !== 'ERR_DLOPEN_FAILED') return undefined
  const subject = nameIn(error.message)
  return {
    subject,
    message: `cannot be loaded: ${error.message.split('\n', 1)[0]}`,
    remedy: rebuild(subject),
  }
}

/** Loaders that try several binaries have an error for each, every one the cause of another. */
function messagesOf({ message, cause }: Error, furthest = 20): string[] {
  const isLast = !(cause instanceof Error) || furthest === 0
  return isLast ? [message] : [message, ...messagesOf(cause, furthest - 1)]
}

/** The innermost package that a path leads into. */
const packageIn = (text: string) => /.*\/node_modules\/((?:@[^/\s]+\/)?[^/\s@.][^/\s]*)\//.exec(text)?.[1]
