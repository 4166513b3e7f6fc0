import { isPromise } from '../../../kernel/index.ts'
import type { Environment, ReadSetting, Setting, SettingProblem } from './setting.ts'

/**
 * The result of a setting's own check of a value.
 * @throws Error naming the setting, if the check itself fails
 */
export function ownProblem(
  setting: Setting<unknown>,
  value: unknown,
  environment: Environment,
  get: ReadSetting,
): SettingProblem | undefined {
  try {
    const problem = setting.check?.(value, environment, get)
    if (!isPromise(problem)) return problem
    problem.then(undefined, () => undefined)
    throw new Error('it must answer at once, without a promise')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`the check of the setting ${setting.key} failed: ${reason}`, { cause: error })
  }
}
