const minuteMs = 60_000

/** A moment as an `<input type="datetime-local">` has it: without a zone, in that of the browser. */
export function localInput(moment: Date): string {
  const shifted = new Date(moment.getTime() - moment.getTimezoneOffset() * minuteMs)
  return shifted.toISOString().slice(0, 'YYYY-MM-DDTHH:mm'.length)
}

/** The moment that was typed in; undefined while it is none. */
export function momentOf(input: string): Date | undefined {
  const moment = new Date(input)
  return input === '' || Number.isNaN(moment.getTime()) ? undefined : moment
}
