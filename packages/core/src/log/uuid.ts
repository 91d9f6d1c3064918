/** The length of a UUID as it is stored. */
export const UUID_BYTES = 16;
const UUID_LENGTH = 36;

/** Whether the text is a UUID in lower case, whatever its version. */
export function isUuid(text: string): boolean {
  return typeof text === "string" && writeUuid(text, scratch, 0);
}

const scratch = new Uint8Array(UUID_BYTES);

/**
 * Writes the 16 bytes of a UUID in lower case into `bytes` from `at` on. False for any other text;
 * something may have been written then. By hand, for a regular expression and `Buffer.write` take
 * several times as long, and every event that is appended passes through here.
 */
export function writeUuid(text: string, bytes: Uint8Array, at: number): boolean {
  if (text.length !== UUID_LENGTH) return false;
  let to = at;
  let invalid = 0;
  for (let from = 0; from < UUID_LENGTH; from += 2) {
    if (from === 8 || from === 13 || from === 18 || from === 23) {
      if (text.charCodeAt(from) !== HYPHEN) return false;
      from += 1;
    }
    const high = VALUES[text.charCodeAt(from)] ?? INVALID;
    const low = VALUES[text.charCodeAt(from + 1)] ?? INVALID;
    invalid |= high | low;
    bytes[to++] = (high << 4) | low;
  }
  return invalid < INVALID;
}

const HYPHEN = "-".charCodeAt(0);
const INVALID = 16;

/** The value of each hexadecimal digit at its code. */
const VALUES = new Uint8Array(128).fill(INVALID);
for (const [value, digit] of [..."0123456789abcdef"].entries()) {
  VALUES[digit.charCodeAt(0)] = value;
}
