import type { CheckedSchemaFiles } from './answers.ts'
import type { Client } from './client.ts'

/** A JSON Schema, as far as forms follow it. */
export interface OptionSchema {
  /** Several: any of them. */
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly items?: OptionSchema
  readonly properties?: Readonly<Record<string, OptionSchema>>
  readonly required?: readonly string[]
  readonly description?: string
  readonly minimum?: number
  readonly pattern?: string
}

/** A schema file of the project. */
export interface SchemaFile {
  /** In the schemas directory: `article.json`, `components/shared.seo.json`. */
  readonly path: string
  readonly kind: 'content-type' | 'component' | 'extension' | 'component-extension'
  /** What it declares: `article`, `shared.seo`. */
  readonly name: string
  /** Null where the file is no JSON. */
  readonly content: Readonly<Record<string, unknown>> | null
}

/** The schema files of the project, and what can stand in them. */
export interface SchemaFiles {
  /** Of all files together; a write names it. */
  readonly version: string
  /** Whether `schemas.writable` lets the service write them, and why it does not. */
  readonly isWritable: boolean
  readonly reason: string | null
  /** Whether the service was started with the files as they are. */
  readonly isInUse: boolean
  readonly files: readonly SchemaFile[]
  readonly fieldTypes: readonly {
    readonly name: string
    readonly description: string
    readonly shape: 'value' | 'reference' | 'components'
    readonly schema: OptionSchema
  }[]
  readonly fileSchemas: Readonly<Record<SchemaFile['kind'], OptionSchema>>
}

/** The new contents of files by path; null deletes a file. */
export type SchemaFileChanges = Readonly<Record<string, object | null>>

interface Cancelling {
  readonly signal?: AbortSignal
}

/** The schema files of the project; for administrators. */
export interface SchemaFilesApi {
  read(options?: Cancelling): Promise<SchemaFiles>
  /** Writes nothing. */
  check(files: SchemaFileChanges, options?: Cancelling): Promise<CheckedSchemaFiles>
  /** All or none. @throws MortiseError 412 if somebody has changed files since that version */
  write(files: SchemaFileChanges, version: string, options?: Cancelling): Promise<CheckedSchemaFiles>
}

/** Makes the access to the schema files. */
export function createSchemaFiles({ send }: Pick<Client<never>, 'send'>): SchemaFilesApi {
  const path = '/admin/schemas'
  return {
    read: (options) => send('GET', path, options),
    check: (files, options) => send('POST', `${path}/check`, { ...options, body: { files } }),
    write: (files, version, options) =>
      send('PUT', path, { ...options, body: { files }, headers: { 'if-match': `"${version}"` } }),
  }
}
