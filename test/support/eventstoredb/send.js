/** Writes a message, and waits while the client takes no more of them. */
export async function send(call, message) {
  if (call.write(message) || call.cancelled) return;
  await new Promise((resolve) => {
    const go = () => {
      call.off("drain", go);
      call.off("cancelled", go);
      resolve();
    };
    call.on("drain", go);
    call.on("cancelled", go);
  });
}
//# sourceMappingURL=send.js.map
