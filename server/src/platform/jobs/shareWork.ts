/** Takes steps until there is nothing left. After two, a worker that is idle helps, and asks for another one. */
export const shareWork = async (
  takeStep: () => Promise<boolean>,
  askForHelp: () => Promise<unknown>,
) => {
  if (!(await takeStep()) || !(await takeStep())) return;
  await askForHelp();
  while (await takeStep());
};
