import { type Env, readEnvLayer } from './env-layer.ts'
import { readFileLayer } from './file-layer.ts'
import type { ProjectConfig } from './project-config.ts'
import type { Setting } from './setting.ts'

/**
 * Reads a setting that must be known before any service exists. A malformed value counts as missing here: the
 * start reports it.
 */
export function readEarly<T>(
  setting: Setting<T>,
  { env, projectConfig }: { readonly env: Env; readonly projectConfig: ProjectConfig },
): T {
  const inEnv = readEnvLayer([setting], env).values.get(setting)
  const inFile = readFileLayer([setting], projectConfig).values.get(setting)
  return (inEnv ?? inFile ?? setting.default) as T
}
