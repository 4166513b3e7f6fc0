import {
  type DotEnvOptions,
  loadDotEnv,
  loadProjectConfig,
  readEarly,
} from '../core-plugins/config/config.ts'
import { pluginsDir, routesDir, themesDir } from '../core-plugins/extensions/extensions.ts'
import { schemasDir } from '../core-plugins/schemas/schemas.ts'
import { StartupError } from '../kernel/index.ts'

const settings = [schemasDir, pluginsDir, routesDir, themesDir]

/** Where the schema files, plugins, routes and themes of a project lie, whether there are any yet or not. */
export async function sourceFolders(
  options: DotEnvOptions & { readonly env: Readonly<Record<string, string | undefined>> },
): Promise<string[]> {
  const env = await loadDotEnv(options)
  try {
    const projectConfig = await loadProjectConfig({ ...options, env })
    return settings.map((setting) => readEarly(setting, { env, projectConfig }))
  } catch (error) {
    // The start of the service reports what is wrong with the config file, and begins anew when it is mended.
    if (error instanceof StartupError) return settings.map((setting) => setting.default)
    throw error
  }
}
