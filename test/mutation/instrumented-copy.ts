import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Instrumenter } from '@stryker-mutator/instrumenter'
import type { Area } from './areas.ts'

/** A small change of the sources that a test should notice. */
export interface Mutant {
  readonly id: string
  /** From the project's root. */
  readonly file: string
  readonly line: number
  readonly kind: string
  readonly replacement: string
}

/** A copy of the project whose sources carry all mutants of an area, each switched on by the environment. */
export interface InstrumentedCopy {
  readonly root: string
  readonly mutants: readonly Mutant[]
  remove(): void
}

/** The variable that names the mutant that is on; the instrumented sources read it. */
export const activeMutantVariable = '__STRYKER_ACTIVE_MUTANT__'

/** The wording of a message is nobody's contract, so its mutants would only hide those that count. */
const excludedMutations = ['StringLiteral']

const silent = () => undefined
const logger = {
  isTraceEnabled: () => false,
  isDebugEnabled: () => false,
  isInfoEnabled: () => false,
  isWarnEnabled: () => false,
  isErrorEnabled: () => false,
  isFatalEnabled: () => false,
  trace: silent,
  debug: silent,
  info: silent,
  warn: silent,
  error: silent,
  fatal: silent,
}

/** Copies what git knows of the project, or would, and instruments the sources of an area in the copy. */
export async function createInstrumentedCopy(root: string, area: Area): Promise<InstrumentedCopy> {
  const copy = mkdtempSync(join(tmpdir(), 'mortise-mutation-'))
  const files = projectFiles(root)
  for (const file of files) cpSync(join(root, file), join(copy, file))
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  const mutants = await instrument(
    copy,
    files.filter((file) => isMutated(area, file)),
  )
  return { root: copy, mutants, remove: () => rmSync(copy, { recursive: true, force: true }) }
}

function projectFiles(root: string): string[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
  })
  return listed.toString('utf8').split('\0').filter(Boolean)
}

const isMutated = ({ folders }: Area, file: string) =>
  file.endsWith('.ts') && folders.some((folder) => file.startsWith(`${folder}/`))

async function instrument(copy: string, files: readonly string[]): Promise<Mutant[]> {
  const sources = files.map((name) => ({
    name,
    content: readFileSync(join(copy, name), 'utf8'),
    mutate: true,
  }))
  const options = { plugins: null, excludedMutations, ignorers: [] }
  const result = await new Instrumenter(logger).instrument(sources, options)
  for (const { name, content } of result.files) writeFileSync(join(copy, name), content)
  // Excluded ones are listed, too, but are not in the sources.
  const present = result.mutants.filter(({ status }) => status === undefined)
  return present.map(({ id, fileName, location, mutatorName, replacement }) => ({
    id,
    file: fileName,
    line: location.start.line + 1,
    kind: mutatorName,
    replacement,
  }))
}
