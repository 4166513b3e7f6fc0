import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** Makes a project's scripts ES modules; from CommonJS scripts, some modules of the service cannot be loaded. */
export const moduleProject = { 'package.json': '{ "type": "module" }' }

/** The source of a plugin or route file in a test project: imports from the service, then `body`. */
export function pluginFile(body: string): string {
  const faces = {
    'kernel/index.ts': 'kernel',
    'core-plugins/foundation/config/config.ts': 'config',
    'core-plugins/entries/content/content.ts': 'content',
    'core-plugins/foundation/database/database.ts': 'database',
    'core-plugins/panel/extensions/extensions.ts': 'extensions',
    'core-plugins/foundation/http/http.ts': 'http',
    'core-plugins/background/jobs/jobs.ts': 'jobs',
    'core-plugins/background/schedules/schedules.ts': 'schedules',
    'core-plugins/foundation/schemas/schemas.ts': 'schemas',
  }
  const imports = Object.entries(faces).map(
    ([file, name]) => `import * as ${name} from '${join(root, file)}'`,
  )
  return `${imports.join('\n')}\n${body}\n`
}
