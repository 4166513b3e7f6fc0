import { Type } from 'typebox'
import type { Config } from '../../../foundation/config/config.ts'
import {
  AppError,
  bytesSchema,
  created,
  defineRoute,
  idParams,
  type Route,
} from '../../../foundation/http/http.ts'
import type { RoomWatch } from '../../../foundation/room/room.ts'
import type { Spool } from '../files/spool.ts'
import type { Library } from '../library/library.ts'
import { mediaSchema } from '../library/record-schema.ts'
import { maxFileSize, maxFiles } from '../settings.ts'
import type { FormRequest, ReceivedForm } from './receive-form.ts'

export interface UploadDeps {
  readonly library: Library
  readonly config: Config
  readonly spool: () => Spool
  readonly room: RoomWatch
}

const write = { access: 'permission', scope: 'media:write', policies: ['media.write'] } as const

/** No limit in the route, since the limits are settings that may change at run time; they are applied to the form. */
const noLimit = Number.MAX_SAFE_INTEGER

/** Specification, "Media": uploads. */
export function createUploadRoutes({ library, config, spool, room }: UploadDeps): Route[] {
  const receive = async (
    request: FormRequest,
    files: Readonly<Record<string, number>>,
    fields: readonly string[],
  ) => {
    // Loaded with the first upload, since many services never get one.
    const { receiveForm } = await import('./receive-form.ts')
    return receiveForm(request, { spool: spool(), files, fields, maxFileSize: config.get(maxFileSize) })
  }

  return [
    defineRoute({
      ...write,
      name: 'media:files.upload',
      tool: {
        name: 'upload_media',
        description:
          'Uploads a file, or several; answers with their ids, which media fields take. Send file or files, not both.',
      },
      method: 'POST',
      path: '/upload',
      summary: 'Upload one file or several',
      description: '`file` answers its record, `files` an array; all files are stored or none.',
      bodyMode: 'stream',
      maxBodyBytes: noLimit,
      body: Type.Object({
        file: Type.Optional(bytesSchema),
        files: Type.Optional(Type.Array(bytesSchema)),
        folderId: Type.Optional(Type.Integer({ minimum: 1 })),
      }),
      response: Type.Union([mediaSchema, Type.Array(mediaSchema)]),
      successStatus: 201,
      async handler(request) {
        const { signal, principal } = request
        return room.guard(async () => {
          const form = await receive(request, { file: 1, files: config.get(maxFiles) }, ['folderId'])
          const folder = await orDiscard(form, spool(), () => folderOf(form))
          const added = await library.add(form.files, { folder }, { principal, signal })
          return created(form.files[0]?.field === 'file' ? added[0] : added)
        })
      },
    }),
    defineRoute({
      ...write,
      name: 'media:files.replace',
      method: 'PUT',
      path: '/media/:id/file',
      summary: 'Replace the content of a file',
      description: 'The id stays, the address changes.',
      bodyMode: 'stream',
      maxBodyBytes: noLimit,
      params: idParams,
      body: Type.Object({ file: bytesSchema }),
      response: mediaSchema,
      async handler(request) {
        const { signal, principal, params } = request
        const change = { id: params.id, principal, ifMatch: request.header('if-match') }
        // Fails before the upload if there is no record to replace.
        await library.find(params.id, principal)
        return room.guard(async () => {
          const form = await receive(request, { file: 1 }, [])
          const file = await orDiscard(form, spool(), () => assertFile(form))
          return library.replace(change, file, signal)
        })
      },
    }),
  ]
}

/** Removes the files of the form if reading it fails. */
async function orDiscard<T>(form: ReceivedForm, spool: Spool, read: () => T): Promise<T> {
  try {
    return read()
  } catch (error) {
    await spool.remove(form.files.map(({ path }) => path))
    throw error
  }
}

function assertFile({ files }: ReceivedForm) {
  const [file] = files
  if (file !== undefined) return file
  throw AppError.invalid([{ path: 'file', code: 'required', message: 'is required: send a file' }])
}

function folderOf(form: ReceivedForm): number | null {
  assertFile(form)
  const sent = form.fields.get('folderId')?.trim() ?? ''
  if (['', 'null', 'root'].includes(sent)) return null
  if (/^[1-9]\d{0,14}$/.test(sent)) return Number(sent)
  throw AppError.invalid([{ path: 'folderId', code: 'type', message: 'must be the id of a folder' }])
}
