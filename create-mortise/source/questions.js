// @ts-check
import { cancel, confirm, intro, select, text } from '@clack/prompts'
import { RefusedError } from './refused-error.js'
import { targetOf } from './target-folder.js'

/** @typedef {import('./arguments.js').Arguments} Arguments */
/** @typedef {import('./arguments.js').Database} Database */

/**
 * Where it asks; the terminal by default.
 * @typedef {{ input?: import('node:stream').Readable, output?: import('node:stream').Writable }} Streams
 */

/** @type {{ value: Database, label: string, hint?: string }[]} */
const choices = [
  { value: 'sqlite', label: 'SQLite', hint: 'a file, nothing to install' },
  { value: 'postgres', label: 'PostgreSQL' },
  { value: 'mysql', label: 'MySQL or MariaDB' },
]

/**
 * Asks for what the command line leaves open.
 * @param {Arguments} given
 * @param {Streams} [streams]
 * @returns {Promise<Arguments>}
 * @throws {RefusedError} if whoever is asked gives up
 */
export async function askForRest(given, streams = {}) {
  if (given.target !== undefined && given.database !== undefined && given.git !== undefined) return given
  intro('A new project for Mortise', streams)
  const answered = answeredOn(streams)
  return {
    ...given,
    target:
      given.target ??
      answered(
        await text({
          ...{ message: 'Folder', placeholder: 'my-site', defaultValue: 'my-site', validate },
          ...streams,
        }),
      ),
    database: given.database ?? answered(await select({ message: 'Database', options: choices, ...streams })),
    git: given.git ?? answered(await confirm({ message: 'Make a Git repository of it?', ...streams })),
  }
}

/** @param {string | undefined} target What is wrong with it, for the prompt to say at once. */
function validate(target) {
  if (target === undefined || target === '') return undefined
  try {
    targetOf(target)
    return undefined
  } catch (error) {
    if (error instanceof RefusedError) return error.message
    throw error
  }
}

/** @param {Streams} streams */
const answeredOn =
  (streams) =>
  /** @template T @param {T} answer The symbol stands for Ctrl-C. @returns {Exclude<T, symbol>} */
  (answer) => {
    if (typeof answer !== 'symbol') return /** @type {Exclude<T, symbol>} */ (answer)
    cancel('Nothing was written.', streams)
    throw new RefusedError('')
  }
