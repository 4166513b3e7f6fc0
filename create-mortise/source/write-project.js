// @ts-check
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** @typedef {import('./arguments.js').Database} Database */

/**
 * @typedef {object} ProjectOptions
 * @property {string} folder
 * @property {string} name
 * @property {Database} database
 * @property {string} mortise The version, tag or tarball to depend on.
 */

const templates = join(import.meta.dirname, '../templates')

/** Files whose names begin with a dot, which npm would leave out of the package or take for its own. */
const dotFiles = ['env', 'gitignore', 'dockerignore']

/** Where a database is while the project is developed: that of the compose file, except SQLite. */
const databaseUrls = {
  sqlite: 'sqlite:./data/content.db',
  postgres: 'postgres://mortise:mortise@127.0.0.1:5432/mortise',
  mysql: 'mysql://mortise:mortise@127.0.0.1:3306/mortise',
}

/**
 * Writes all files of a project into its folder.
 * @param {ProjectOptions} options
 */
export function writeProject({ folder, name, database, mortise }) {
  const values = {
    name,
    mortise,
    databaseUrl: databaseUrls[database],
    jwtSecret: randomBytes(48).toString('base64url'),
    firstStep: database === 'sqlite' ? '' : `docker compose up -d --wait ${database}   # the database\n`,
  }
  const project = join(templates, 'project')
  for (const path of filesIn(project)) {
    write(join(folder, withDot(relative(project, path))), filled(path, values))
  }
  write(join(folder, 'docker-compose.yml'), filled(join(templates, `compose/${database}.yml`), values))
}

/** @param {string} folder @returns {string[]} */
function filesIn(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

/** @param {string} path */
const withDot = (path) => (dotFiles.includes(path) ? `.${path}` : path)

/**
 * A template's text with values in place of `{{name}}`.
 * @param {string} path
 * @param {Readonly<Record<string, string>>} values
 */
function filled(path, values) {
  return readFileSync(path, 'utf8').replace(/\{\{(\w+)\}\}/g, (_, key) => {
    const value = values[key]
    if (value === undefined) throw new Error(`${path} has no value for {{${key}}}`)
    return value
  })
}

/** @param {string} path @param {string} text */
function write(path, text) {
  mkdirSync(dirname(path), { recursive: true })
  // `.env` holds a secret.
  writeFileSync(path, text, { mode: path.endsWith('.env') ? 0o600 : 0o666 })
}
