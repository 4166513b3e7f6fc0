import {
  type DotEnvOptions,
  loadDotEnv,
  loadProjectConfig,
  readEarly,
} from '../core-plugins/foundation/config/config.ts'
import { schemasDir } from '../core-plugins/foundation/schemas/schemas.ts'
import { pluginsDir, routesDir, themesDir } from '../core-plugins/panel/extensions/extensions.ts'
import { StartupError } from '../kernel/index.ts'

const settings = [schemasDir, pluginsDir, routesDir, themesDir]

/**
 * Where a project keeps its schema files, plugins, routes and themes, whether or not those folders exist yet.
 */
export async function sourceFolders(
  options: DotEnvOptions & { readonly env: Readonly<Record<string, string | undefined>> },
): Promise<string[]> {
  const env = await loadDotEnv(options)
  try {
    const projectConfig = await loadProjectConfig({ ...options, env })
    return settings.map((setting) => readEarly(setting, { env, projectConfig }))
  } catch (error) {
    // The service reports a broken config file when it starts, and restarts once the file is fixed.
    if (error instanceof StartupError) return settings.map((setting) => setting.default)
    throw error
  }
}
