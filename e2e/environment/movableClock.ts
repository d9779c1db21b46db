// Loaded into a process with --import. Messages from its parent move its clocks ahead, by milliseconds.
let ahead = 0;
process.on("message", (milliseconds: number) => {
  ahead += milliseconds;
  process.send?.(ahead);
});
process.channel?.unref();

for (const clock of [Date, performance]) {
  const now = clock.now.bind(clock);
  clock.now = () => now() + ahead;
}
