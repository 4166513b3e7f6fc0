/**
 * What this run covers: `npm test` alone is quick, and sets this; with `--all` or the names of files, everything runs
 * (docs/architecture.md#tests).
 */
export const isQuick = process.env.TEST_SCOPE === 'quick'

/** Whether a test fails instead of being skipped when its server or program is missing; never in a quick run. */
export const areServicesRequired = () => !isQuick && process.env.REQUIRE_SERVICES === '1'

/**
 * For `skip`: why a test that needs a server or a program cannot run here, or false. Quick runs go without all of them,
 * installed or not; with REQUIRE_SERVICES the test runs, and fails where it is missing.
 * @param what What it needs: `nginx`
 */
export function skipWithout(what: string, isInstalled: boolean): string | false {
  if (isQuick) return `needs ${what}`
  return isInstalled || areServicesRequired() ? false : `there is no ${what} here`
}

/**
 * Options of an `it` or a `describe` that takes two seconds or more where nothing else runs; the end of a run names
 * those that do. Quick runs leave it out.
 */
export const slow: { readonly skip: string | false } = { skip: isQuick && 'slow' }
