// What radio buttons below one another are drawn with.
import "@mantine/core/styles/InlineInput.layer.css";
import "@mantine/core/styles/Radio.layer.css";
import "@mantine/core/styles/Stack.layer.css";
