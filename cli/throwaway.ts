import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { ServiceOptions } from '../service.ts'

/** Works with a project that has the plugins and settings of another, and a database, files and schema files that are thrown away. */
export async function inThrowaway<T>(
  project: ServiceOptions,
  schemaFiles: ReadonlyMap<string, string>,
  work: (throwaway: ServiceOptions) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'mortise-trial-'))
  try {
    const schemas = join(folder, 'schemas')
    await mkdir(schemas)
    for (const [path, text] of schemaFiles) {
      await mkdir(dirname(join(schemas, path)), { recursive: true })
      await writeFile(join(schemas, path), text)
    }
    const isolated = {
      DATABASE_URL: `sqlite:${join(folder, 'content.db')}`,
      REDIS_URL: undefined,
      SVC_SCHEMAS_DIR: schemas,
      SVC_DATA_DIR: join(folder, 'data'),
      STORAGE_TYPE: 'local',
      STORAGE_UPLOAD_DIR: join(folder, 'uploads'),
      // A password, since one would otherwise be generated and printed. Nobody signs in to this service.
      DEFAULT_ADMIN_PASSWORD: randomBytes(24).toString('base64url'),
    }
    return await work({ ...project, env: { ...project.env, ...isolated } })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
