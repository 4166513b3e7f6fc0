import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { dirname, relative, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { operator } from '../core-plugins/accounts/auth/auth.ts'
import { exportService } from '../core-plugins/administration/import-export/export-service.ts'
import { keyKinds, mediaKinds } from '../core-plugins/administration/import-export/exports/export-request.ts'
import {
  type Format,
  formatOfName,
  formats,
} from '../core-plugins/administration/import-export/formats/format.ts'
import {
  countRecords,
  readRecords,
} from '../core-plugins/administration/import-export/formats/read-records.ts'
import {
  type ImportReport,
  importService,
} from '../core-plugins/administration/import-export/import-export.ts'
import { schemasService } from '../core-plugins/foundation/schemas/schemas.ts'
import { CommandError } from '../core-plugins/panel/extensions/extensions.ts'
import { defineCoreCommand } from './command.ts'
import type { Terminal } from './confirm.ts'
import { startServices } from './partial-service.ts'

const formatOption = {
  format: { type: 'string', summary: `${formats.join(', ')} (default: by the name of the file)` },
} as const

export const contentImportCommand = defineCoreCommand({
  name: 'content import',
  summary: 'imports entries from a file, beside a running service or without one',
  example: 'content import cities.ndjson --type city --match slug',
  arguments: { file: { summary: 'a record a line, a JSON array, or CSV with names in the first line' } },
  options: {
    type: { type: 'string', summary: 'singular name of the content type' },
    match: {
      type: 'string',
      summary: 'a unique attribute, or uuid: entries with the same value are changed',
    },
    ...formatOption,
    dryRun: { type: 'boolean', summary: 'stores nothing, and tells all that would be refused' },
    publish: { type: 'boolean', summary: 'publishes entries whose record names no time' },
    ignoreState: { type: 'boolean', summary: 'leaves out times, publication and UUIDs of the records' },
    resume: { type: 'boolean', summary: 'goes on with an import of this file that was interrupted' },
    restart: { type: 'boolean', summary: 'begins such an import anew' },
  },
  hasJson: true,
  run: async ({ project, arguments: { file }, options, signal, terminal }) => {
    const path = await realpath(resolve(project.workingDirectory, file)).catch(() => {
      throw new CommandError(`${file} cannot be read`)
    })
    const type = required(options.type, '--type')
    const format = formatIn(options.format, path)
    const { match, publish, dryRun: isTrial } = options
    const kernel = await startServices(project, { steps: ['search:prepare'] })
    try {
      const imports = kernel.get(importService)
      const { size, mtimeMs } = await stat(path)
      const name = nameOf([path, size, mtimeMs, type, match])
      if (options.restart) await imports.forget(name)
      else if (!isTrial && !options.resume) await assertFresh(await imports.unfinished(name), file)
      const reading = { format, type, schemas: kernel.get(schemasService) }
      await countRecords(createReadStream(path), reading)
      const bytes = createReadStream(path)
      const bar = await progressBar(terminal, size)
      const report = await imports
        .importRecords({
          ...{ type, match, publish, isTrial, signal, principal: operator, mediaFolder: dirname(path) },
          ...{ name: isTrial ? undefined : name, state: options.ignoreState ? 'ignore' : 'keep' },
          records: readRecords(bytes, reading),
          onProgress: () => bar.update(bytes.bytesRead),
        })
        .finally(bar.stop)
      if (!isTrial) await imports.forget(name)
      return {
        text: textOf(report, isTrial),
        json: report,
        isFailure: report.refused > 0 || report.problemCount > 0,
      }
    } finally {
      await kernel.stop()
    }
  },
})

export const contentExportCommand = defineCoreCommand({
  name: 'content export',
  summary: 'writes the entries of a type to a file',
  example: 'content export --type city --keys natural --out cities.ndjson',
  options: {
    type: { type: 'string', summary: 'singular name of the content type' },
    out: { type: 'string', summary: 'default: <type>.<format>' },
    ...formatOption,
    keys: { type: 'string', summary: `how relations are written: ${keyKinds.join(', ')} (default: id)` },
    media: {
      type: 'string',
      summary: `how files are written: ${mediaKinds.join(', ')} (default: key, like relations)`,
    },
    query: { type: 'string', summary: "as in a list: 'filters[name]=x&fields=name&locale=de'" },
  },
  hasJson: true,
  run: async ({ project, options, signal }) => {
    const type = required(options.type, '--type')
    const format = formatIn(options.format, options.out ?? `${type}.ndjson`)
    const keys = keyKinds.find((kind) => kind === (options.keys ?? 'id'))
    if (keys === undefined) throw new CommandError(`--keys must be one of ${keyKinds.join(', ')}`)
    const media = mediaKinds.find((kind) => kind === (options.media ?? 'key'))
    if (media === undefined) throw new CommandError(`--media must be one of ${mediaKinds.join(', ')}`)
    const path = resolve(project.workingDirectory, options.out ?? `${type}.${format}`)
    const kernel = await startServices(project)
    try {
      const request = { type, format, keys, media, rawQuery: options.query ?? '', principal: operator }
      const source = await kernel.get(exportService).open(request)
      await pipeline(source, createWriteStream(path, { mode: 0o600 }), { signal })
      const { size } = await stat(path)
      const file = relative(project.workingDirectory, path)
      return { text: `Wrote ${file}, ${size} bytes`, json: { file, bytes: size } }
    } finally {
      await kernel.stop()
    }
  },
})

/** @throws CommandError */
function required(value: string | undefined, flag: string): string {
  if (value !== undefined) return value
  throw new CommandError(`${flag} is missing: name a content type`)
}

/** @throws CommandError */
function formatIn(asked: string | undefined, file: string): Format {
  const format = asked === undefined ? formatOfName(file) : formats.find((each) => each === asked)
  if (format !== undefined) return format
  throw new CommandError(`--format must be one of ${formats.join(', ')}`)
}

/** The same for the same file, unless it has changed. */
const nameOf = (parts: readonly unknown[]) =>
  `file:${createHash('sha256').update(JSON.stringify(parts)).digest('hex')}`

/** @throws CommandError */
async function assertFresh(
  unfinished: { readonly records: number } | undefined,
  file: string,
): Promise<void> {
  if (unfinished === undefined) return
  const message = `An import of ${file} was interrupted after ${unfinished.records} records`
  throw new CommandError(`${message}: --resume goes on, --restart begins anew`)
}

/** For terminals only: what is written to a file is read later. */
async function progressBar({ output }: Terminal, total: number) {
  const isShown = 'isTTY' in output && output.isTTY === true
  if (!isShown) return { update: () => undefined, stop: () => undefined }
  const { SingleBar } = await import('cli-progress')
  const format = '{bar} {percentage}% | {eta_formatted} left'
  const bar = new SingleBar({ format, stream: output as NodeJS.WriteStream, clearOnComplete: true })
  bar.start(total, 0)
  return { update: (bytes: number) => bar.update(bytes), stop: () => bar.stop() }
}

function textOf(report: ImportReport, isTrial: boolean): string {
  const { records, created, updated, unchanged, refused, problems, problemCount } = report
  const would = isTrial ? ' would be' : ''
  const counts = `${records} records:${would} ${created} created, ${updated} updated, ${unchanged} unchanged, ${refused} refused`
  const lines = problems.map(
    ({ line, path, message }) => `  line ${line}: ${path === '' ? '' : `${path} `}${message}`,
  )
  const more = problemCount > problems.length ? [`  and ${problemCount - problems.length} more`] : []
  return [counts, ...lines, ...more].join('\n')
}
