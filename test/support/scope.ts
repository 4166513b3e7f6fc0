/**
 * The scope of this run: `npm test` alone is quick, and sets this; with `--all` or file names, everything runs
 * (docs/architecture.md#tests).
 */
export const isQuick = process.env.TEST_SCOPE === 'quick'

/** Whether a test fails instead of being skipped when its server or program is missing; never in a quick run. */
export const areServicesRequired = () => !isQuick && process.env.REQUIRE_SERVICES === '1'

/**
 * For `skip`: why a test that needs a server or a program cannot run here, or false. Quick runs skip all such tests, whether or
 * not it is installed; with REQUIRE_SERVICES the test runs, and fails if it is missing.
 * @param what the server or program: `nginx`
 */
export function skipWithout(what: string, isInstalled: boolean): string | false {
  if (isQuick) return `needs ${what}`
  return isInstalled || areServicesRequired() ? false : `there is no ${what} here`
}

/**
 * Options for an `it` or `describe` that takes two seconds or more on an idle machine; the end of a run lists such tests. Quick
 * runs skip them.
 */
export const slow: { readonly skip: string | false } = { skip: isQuick && 'slow' }
