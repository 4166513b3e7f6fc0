import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/**
 * Without it the scripts of a project are CommonJS, from which some modules of the service cannot be loaded.
 */
export const moduleProject = { 'package.json': '{ "type": "module" }' }

/** The source of a plugin or route file in a test project: imports from the service, then `body`. */
export function pluginFile(body: string): string {
  const faces = {
    'kernel/index.ts': 'kernel',
    'core-plugins/config/config.ts': 'config',
    'core-plugins/content/content.ts': 'content',
    'core-plugins/database/database.ts': 'database',
    'core-plugins/extensions/extensions.ts': 'extensions',
    'core-plugins/http/http.ts': 'http',
    'core-plugins/jobs/jobs.ts': 'jobs',
    'core-plugins/admin-panel/admin-panel.ts': 'panel',
    'core-plugins/schedules/schedules.ts': 'schedules',
    'core-plugins/schemas/schemas.ts': 'schemas',
  }
  const imports = Object.entries(faces).map(
    ([file, name]) => `import * as ${name} from '${join(root, file)}'`,
  )
  return `${imports.join('\n')}\n${body}\n`
}
