/** Counts requests that are not answered yet, so that a stop can wait for them. */
export class InFlight {
  private count = 0
  private waiting: (() => void)[] = []

  begin() {
    this.count++
  }

  end() {
    this.count--
    if (this.count > 0) return
    for (const resolve of this.waiting.splice(0)) resolve()
  }

  /** True when none is left, false when the time was up before. */
  async isIdleWithin(timeoutMs: number): Promise<boolean> {
    if (this.count === 0) return true
    let timer: NodeJS.Timeout | undefined
    const idle = new Promise<boolean>((resolve) => this.waiting.push(() => resolve(true)))
    const timeout = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), timeoutMs)
    })
    return Promise.race([idle, timeout]).finally(() => clearTimeout(timer))
  }
}
