/**
 * `StoredEvent.undecodable` of an event whose stored bytes are not JSON: the length of the data in
 * decimal digits and a colon, then data and metadata as they are stored.
 */
export function undecodableBytes(data: Uint8Array, metadata: Uint8Array): Uint8Array {
  const length = utf8.encode(`${data.length}:`);
  const frame = new Uint8Array(length.length + data.length + metadata.length);
  frame.set(length);
  frame.set(data, length.length);
  frame.set(metadata, length.length + data.length);
  return frame;
}

const utf8 = new TextEncoder();
