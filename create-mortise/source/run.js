// @ts-check
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { readArguments, usage } from './arguments.js'
import { askForRest } from './questions.js'
import { RefusedError } from './refused-error.js'
import { fillFolder, targetOf } from './target-folder.js'
import { writeProject } from './write-project.js'

/**
 * `create-mortise`: writes a project, installs what it needs, and says what to do next.
 * @param {readonly string[]} args
 * @returns {Promise<number>} the exit code
 */
export async function run(args) {
  try {
    const given = readArguments(args)
    if (given.help) console.log(usage)
    return given.help ? 0 : await create(given)
  } catch (error) {
    if (!(error instanceof RefusedError || isSystemError(error))) throw error
    if (error.message !== '') console.error(error.message)
    return 1
  }
}

/** @param {import('./arguments.js').Arguments} given */
async function create(given) {
  // Before anything is asked.
  if (given.target !== undefined) targetOf(given.target)
  const asked = process.stdin.isTTY && process.stdout.isTTY ? await askForRest(given) : given
  const { target, database = 'sqlite', git = false, install, mortise = `^${ownVersion()}` } = asked
  if (target === undefined) throw new RefusedError(`name the folder of the project\n\n${usage}`)
  const { folder, name } = targetOf(target)
  fillFolder(folder, () => writeProject({ folder, name, database, mortise: located(mortise) }))
  console.log(`Wrote ${folder}`)
  const isInstalled = install && npmInstall(folder)
  if (isInstalled) writeEditorSchemas(folder)
  if (git) makeRepository(folder)
  console.log(nextSteps({ folder, database, isInstalled }))
  return install && !isInstalled ? 1 : 0
}

/** A tarball's path leads to it from the project, too. @param {string} mortise */
const located = (mortise) => (existsSync(mortise) ? `file:${resolve(mortise)}` : mortise)

function ownVersion() {
  return JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')).version
}

/** On Windows npm is a script, which only a shell can run. */
const shell = process.platform === 'win32'

/**
 * The project is complete without it, so it stays if this fails.
 * @param {string} folder
 */
function npmInstall(folder) {
  console.log('Installing packages')
  const options = ['--no-audit', '--no-fund']
  const { status, error } = spawnSync('npm', ['install', ...options], {
    cwd: folder,
    stdio: 'inherit',
    shell,
  })
  if (status === 0) return true
  console.error(
    `npm install failed${error === undefined ? '' : `: ${error.message}`}. The project is written; run npm install in it again`,
  )
  return false
}

/**
 * What `$schema` of the schema files names. Only editors read it, so nothing is said if this fails.
 * @param {string} folder
 */
function writeEditorSchemas(folder) {
  const command = ['exec', '--no', '--', 'mortise', 'schema-files']
  spawnSync('npm', command, { cwd: folder, stdio: 'ignore', shell })
}

/** @param {string} folder */
function makeRepository(folder) {
  if (existsSync(join(folder, '.git'))) return
  const { status } = spawnSync('git', ['init', '--quiet'], { cwd: folder, stdio: 'ignore' })
  console.log(status === 0 ? 'Made a Git repository' : 'No Git repository was made: git cannot be run')
}

/** @param {{ folder: string, database: import('./arguments.js').Database, isInstalled: boolean }} state */
function nextSteps({ folder, database, isInstalled }) {
  const path = relative(process.cwd(), folder)
  const steps = [
    ...(path === '' ? [] : [`cd ${path}`]),
    ...(isInstalled ? [] : ['npm install']),
    ...(database === 'sqlite'
      ? []
      : [`docker compose up -d --wait ${database}   # or set DATABASE_URL in .env`]),
    'npm run dev',
  ]
  return `\nNext:\n${steps.map((step) => `  ${step}`).join('\n')}\n`
}

/** The disk is full, or the folder is not ours. @param {unknown} error @returns {error is NodeJS.ErrnoException} */
function isSystemError(error) {
  return error instanceof Error && 'syscall' in error
}
