const names = ['localhost', '127.0.0.1', '[::1]']

/** Whether an address leads to the machine that reads it. */
export function isOnThisMachine(address: string): boolean {
  return URL.canParse(address) && names.includes(new URL(address).hostname)
}
