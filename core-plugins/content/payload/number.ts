import type { NumberAttribute } from '../../schemas/schemas.ts'
import type { PayloadReport, ValueCheck } from './report.ts'

const minBigint = -(2n ** 63n)
const maxBigint = 2n ** 63n - 1n
const wholeNumber = /^-?[0-9]{1,40}$/

export const inexactNumberRule = `numbers beyond ±${Number.MAX_SAFE_INTEGER} lose digits in JSON: send it as a string`

/** Compiles the check of `integer`: a JSON number, whole and exact in a double. */
export function compileInteger(attribute: NumberAttribute): ValueCheck {
  const { min, max } = boundsOf(attribute)
  return (value, report) => {
    if (!Number.isSafeInteger(value)) {
      return report.problem('type', `must be a whole number of at most ±${Number.MAX_SAFE_INTEGER}`)
    }
    checkBounds(value as number, min, max, report)
    return value === 0 ? 0 : value
  }
}

/** Compiles the check of `bigint`: a number, or a string of digits; answers a string only where a number is not exact. */
export function compileBigint(attribute: NumberAttribute): ValueCheck {
  const { min = minBigint, max = maxBigint } = boundsOf(attribute)
  return (value, report) => {
    if (Number.isSafeInteger(value)) {
      checkBounds(value as number, min, max, report)
      return value === 0 ? 0 : value
    }
    if (Number.isInteger(value)) return report.problem('type', inexactNumberRule)
    if (typeof value !== 'string' || !wholeNumber.test(value)) {
      return report.problem('type', 'must be a whole number, or a string of its digits')
    }
    const exact = BigInt(value)
    checkBounds(exact, min, max, report)
    return Number.isSafeInteger(Number(exact)) ? Number(exact) : exact.toString()
  }
}

function boundsOf({ min, max }: NumberAttribute): { min?: bigint; max?: bigint } {
  return {
    ...(min === undefined ? {} : { min: BigInt(min) }),
    ...(max === undefined ? {} : { max: BigInt(max) }),
  }
}

/** Comparisons of a number with a bigint are exact in JavaScript. */
function checkBounds(
  value: number | bigint,
  min: bigint | undefined,
  max: bigint | undefined,
  report: PayloadReport,
): void {
  if (min !== undefined && value < min) report.problem('min', `must be at least ${min}`)
  if (max !== undefined && value > max) report.problem('max', `must be at most ${max}`)
}
