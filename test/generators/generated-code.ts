import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '../..')
/** As the packages of this workspace are found, whose TypeScript is another one than the project's. */
const require = createRequire(join(root, 'test/generators/package.json'))

/** Runs `look` in a folder of its own that has the packages of the project, and holds these files. */
export async function withFiles<T>(
  files: Readonly<Record<string, string>>,
  look: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'mortise-generated-'))
  try {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    return await look(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Of a script in a package that need not export it: `typescript/bin/tsc`. */
function pathOf(script: string): string {
  const [name = '', ...rest] = script.split('/')
  return join(dirname(require.resolve(`${name}/package.json`)), ...rest)
}

/** Runs the script of a package of this workspace; answers what it writes. */
export function runScript(script: string, args: readonly string[], cwd: string): Promise<string> {
  return runFile(pathOf(script), args, cwd)
}

/** Runs a script; answers what it writes. @throws Error with that */
export function runFile(path: string, args: readonly string[], cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [path, ...args], { cwd }, (error, stdout, stderr) =>
      error === null ? resolve(stdout) : reject(new Error(`${stdout}${stderr}`, { cause: error })),
    )
  })
}

/** What the compiler says of a file, at its strictest. @throws Error with its messages */
export async function compile(folder: string, file: string): Promise<void> {
  const options = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess']
  const target = [
    '--target',
    'es2022',
    '--module',
    'nodenext',
    '--moduleResolution',
    'nodenext',
    '--typeRoots',
    'none',
  ]
  await runScript('typescript/bin/tsc', [...options, ...target, file], folder)
}
