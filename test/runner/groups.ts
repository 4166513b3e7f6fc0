import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Each process costs as much as the tests of a file or two, but one that hangs or dies takes all of its files with it. */
const mostFilesOfGroup = 40

/** A test file, and the script to run in its place. */
export interface TestFile {
  readonly source: string
  readonly translation: string
}

/**
 * Deals files to processes: loading the service takes longer than most files' tests, and the files of a process load it
 * once. Neighbours, which often take as long as each other, go to different ones.
 */
export function dealToGroups(files: readonly TestFile[], processes: number): TestFile[][] {
  // As many for each, so that none of them runs alone at the end.
  const rounds = Math.ceil(files.length / mostFilesOfGroup / processes)
  const count = Math.min(files.length, rounds * processes)
  return Array.from({ length: count }, (_, group) => files.filter((_file, index) => index % count === group))
}

/**
 * Writes the script that Node's test runner runs for a group: it imports the files one after the other. A file that
 * cannot be imported fails as a test, and the others of its group run all the same. What a test that fails leaves
 * open does not keep the process alive: after `patienceMs`, it says what that is, and fails.
 * @returns Path of the script.
 */
export function writeGroup(
  folder: string,
  number: number,
  files: readonly TestFile[],
  patienceMs = 30_000,
): string {
  const script = join(folder, `group-${number}.mjs`)
  const imports = files.map(
    ({ source, translation }) =>
      `await load(${JSON.stringify(source)}, () => import(${JSON.stringify(pathToFileURL(translation).href)}))`,
  )
  writeFileSync(script, [loadFunction, ...imports, endAfter(patienceMs)].join('\n'))
  return script
}

const loadFunction = `import { test } from 'node:test'

async function load(name, importFile) {
  try {
    await importFile()
  } catch (error) {
    test(name, () => {
      throw error
    })
  }
}
`

/** Tests run in the order in which they are declared. */
const endAfter = (ms: number) => `
test('all tests of the group have had their turn', () => {
  const end = () => {
    console.error('Left open by tests: ' + process.getActiveResourcesInfo().join(', '))
    process.exit(1)
  }
  setTimeout(end, ${ms}).unref()
})
`
