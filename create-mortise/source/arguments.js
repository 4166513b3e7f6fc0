// @ts-check
import { parseArgs } from 'node:util'
import { RefusedError } from './refused-error.js'

/** @typedef {'sqlite' | 'postgres' | 'mysql'} Database */

/**
 * What the command line says; undefined is what it leaves open.
 * @typedef {object} Arguments
 * @property {string | undefined} target
 * @property {Database | undefined} database
 * @property {boolean | undefined} git
 * @property {boolean} install
 * @property {string | undefined} mortise The version, tag or tarball to depend on.
 * @property {boolean} help
 */

/** @type {readonly Database[]} */
export const databases = ['sqlite', 'postgres', 'mysql']

export const usage = `Usage: npm create mortise@latest [folder] -- [options]

Writes a project for Mortise into a folder that is new or empty; \`.\` is this folder.

  --database <name>    ${databases.join(', ')}; default: sqlite
  --git                make a Git repository of it
  --no-install         leave out \`npm install\`
  --mortise <version>  depend on this version, tag or tarball in place of the latest release
  --help               show this`

/**
 * @param {readonly string[]} args
 * @returns {Arguments}
 * @throws {RefusedError} naming what cannot be understood
 */
export function readArguments(args) {
  const { values, positionals } = parse(args)
  if (positionals.length > 1) throw new RefusedError(`name one folder, not ${positionals.join(' and ')}`)
  const { database, git, help = false, mortise } = values
  if (mortise === '') throw new RefusedError('--mortise needs a version, a tag or a tarball')
  return {
    target: positionals[0],
    database: database === undefined ? undefined : databaseNamed(database),
    git,
    install: values['no-install'] !== true,
    mortise,
    help,
  }
}

/** @param {readonly string[]} args */
function parse(args) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        database: { type: 'string' },
        git: { type: 'boolean' },
        'no-install': { type: 'boolean' },
        mortise: { type: 'string' },
        help: { type: 'boolean' },
      },
    })
  } catch (error) {
    throw new RefusedError(`${error instanceof Error ? error.message : error}\n\n${usage}`)
  }
}

/** @param {string} name @returns {Database} */
function databaseNamed(name) {
  const database = databases.find((each) => each === name)
  if (database !== undefined) return database
  throw new RefusedError(`--database takes ${databases.join(', ')}, not ${JSON.stringify(name)}`)
}
