import { createMailbox } from '../../../kernel/index.ts'
import type { SchemaChange, SchemaSync, TableSpec } from '../../foundation/database/database.ts'
import { AppError, isVersionMatch } from '../../foundation/http/http.ts'
import type { SchemaProblem, SchemaTexts, SchemaTrial } from '../../foundation/schemas/schemas.ts'
import { type SchemaChanges, textsOfChanges, withChanges } from './changes.ts'
import { type SchemaFolder, versionOf } from './folder.ts'

/** The result of checking changed files. */
export interface CheckedChanges {
  /** Text by path of each file that would change; null for those that would be removed. */
  readonly texts: ReadonlyMap<string, string | null>
  readonly before: SchemaTexts
  readonly after: SchemaTexts
  readonly problems: readonly SchemaProblem[]
  readonly warnings: readonly SchemaProblem[]
  /** The database changes that the next start would make, or would not make. */
  readonly sync: readonly PreviewedChange[]
}

/** `isPending`: the change is needed already, regardless of the changed files. */
export type PreviewedChange = SchemaChange & { readonly isPending: boolean }

/** The schema files of the project, which are read, checked and written as a whole. */
export interface SchemaFiles {
  read(): Promise<{ readonly files: SchemaTexts; readonly version: string }>
  /** @throws AppError 400 naming all paths that cannot be written */
  check(changes: SchemaChanges): Promise<CheckedChanges>
  /**
   * @throws AppError 412 if the files are not those of `ifMatch`, 400 with all problems that would keep the service from
   * starting
   */
  write(changes: SchemaChanges, ifMatch: string): Promise<CheckedChanges>
}

export interface SchemaFilesParts {
  readonly folder: SchemaFolder
  readonly trial: SchemaTrial
  readonly schemaSync: SchemaSync
  /** All tables as declared at present. */
  tables(): readonly TableSpec[]
}

export function createSchemaFiles({ folder, trial, schemaSync, tables }: SchemaFilesParts): SchemaFiles {
  const writes = createMailbox()

  async function preview(contentTables: readonly TableSpec[]): Promise<PreviewedChange[]> {
    const others = tables().filter(({ name }) => !trial.tableNames.has(name))
    const pending = new Set((await schemaSync.preview()).map((change) => JSON.stringify(change)))
    const changes = await schemaSync.preview([...others, ...contentTables])
    return changes.map((change) => ({ ...change, isPending: pending.has(JSON.stringify(change)) }))
  }

  async function checkAgainst(before: SchemaTexts, changes: SchemaChanges): Promise<CheckedChanges> {
    const texts = textsOfChanges(changes, before)
    const after = withChanges(before, texts)
    const { problems, warnings, tables: contentTables } = await trial.try(after)
    const sync = problems.length > 0 ? [] : await preview(contentTables)
    return { texts, before, after, problems, warnings, sync }
  }

  return {
    async read() {
      const files = await folder.read()
      return { files, version: versionOf(files) }
    },
    check: async (changes) => checkAgainst(await folder.read(), changes),
    write: (changes, ifMatch) =>
      writes.run(async () => {
        const before = await folder.read()
        assertVersion(ifMatch, before)
        const checked = await checkAgainst(before, changes)
        if (checked.problems.length > 0)
          throw AppError.invalid(checked.problems.slice(0, maxProblems).map(detailOf))
        // A file may have been edited during the check.
        assertVersion(ifMatch, await folder.read())
        await folder.write(checked.texts, before)
        return checked
      }),
  }
}

/** More than anybody reads; a file can have thousands of problems. */
export const maxProblems = 500

function assertVersion(ifMatch: string, files: SchemaTexts): void {
  if (isVersionMatch(ifMatch, versionOf(files))) return
  const message = 'the schema files have changed since they were read; read them again and repeat the change'
  throw new AppError('PRECONDITION_FAILED', message)
}

function detailOf({ subject, message, remedy }: SchemaProblem) {
  return { path: subject, code: 'schema', message: remedy === undefined ? message : `${message} → ${remedy}` }
}
