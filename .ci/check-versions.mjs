// @ts-check
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/*
 *   node .ci/check-versions.mjs [v0.2.0]
 *
 * All packages have one version: that of the tag, where one is given, and then the changelog has a section for it.
 */
const root = join(import.meta.dirname, '..')
const tag = process.argv[2]

/** @param {string} folder */
const manifestIn = (folder) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))

/** @type {{ version: string, workspaces: string[] }} */
const { version, workspaces } = manifestIn('.')
const expected = tag?.replace(/^v/, '') ?? version
const problems = ['.', ...workspaces]
  .map((folder) => ({ folder, ...manifestIn(folder) }))
  // Those without a version are not published.
  .filter((manifest) => manifest.version !== undefined && manifest.version !== expected)
  .map(({ folder, name, version }) => `${folder}/package.json: ${name} is ${version}, not ${expected}`)

const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
if (tag !== undefined && !changelog.split('\n').some((line) => line.startsWith(`## ${expected} `)))
  problems.push(`CHANGELOG.md: there is no section "## ${expected} – <date>"`)

if (problems.length > 0) {
  process.stderr.write(
    `${problems.join('\n')}\nSet them with \`npm version ${expected} --workspaces …\`: see CONTRIBUTING.md\n`,
  )
  process.exitCode = 1
}
