/** Returns a plugin's contribution unchanged. @throws Error naming every function that it lacks */
export function withFunctions<Value extends object>(
  what: string,
  value: Value,
  names: readonly (keyof Value & string)[],
): Value {
  const missing = names.filter((name) => typeof value?.[name] !== 'function')
  if (missing.length === 0) return value
  throw new Error(`${what} must have the function${missing.length > 1 ? 's' : ''} ${missing.join(', ')}`)
}

export function assertFunction(what: string, value: unknown): void {
  if (typeof value !== 'function') throw new Error(`${what} must be a function`)
}
